import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/motion.css";
import "./style/pages.css";
import "./style/phone.css";
import { Answering } from "./answering";
import { App } from "./app";
import { installHooks } from "./hooks";
import { awaitReload } from "./live";
import { fetchData, isStudy, load, LoadError } from "./load";
import type { StudyData } from "./study/data";
import { StudyPage } from "./study/page";
import { h } from "./ui/dom";
import { startTheme } from "./ui/theme";

function fail(host: HTMLElement, error: unknown): void {
  const problems = error instanceof LoadError ? error.problems : [];
  host.replaceChildren(
    h(
      "div.failure",
      { role: "alert" },
      h("h1", {}, "No data"),
      h("p", {}, error instanceof Error ? error.message : String(error)),
      error instanceof LoadError && error.report !== "" && h("pre", {}, error.report),
      problems.length > 0 && h("ul", {}, ...problems.map((p) => h("li", {}, h("code", {}, p.path), " ", p.text))),
    ),
  );
  if (!(error instanceof LoadError)) console.error(error);
}

/** A study under way grows: what there is of it is shown again and again. */
function followStudy(page: StudyPage, { outcomes, points }: StudyData): void {
  if (outcomes.length >= points) return;
  awaitReload(() => {
    void fetchData().then(
      (data) => {
        if (!isStudy(data)) return location.reload();
        page.update(data);
        followStudy(page, data);
      },
      () => followStudy(page, { outcomes, points } as StudyData),
    );
  });
}

async function start(): Promise<void> {
  startTheme();
  const host = document.getElementById("app");
  if (!host) return;
  try {
    const { data, served } = await load();
    if (isStudy(data)) {
      const page = new StudyPage(data, host);
      if (served) followStudy(page, data);
      return;
    }
    if (served && data.controls !== undefined) {
      new Answering(data, host);
      return;
    }
    const app = new App(data, host);
    installHooks(app);
    if (served && data.live) app.live(() => location.reload());
  } catch (error) {
    fail(host, error);
    // a faulty model may be mended
    if (error instanceof LoadError && error.report !== "") awaitReload(() => location.reload());
  }
}

void start();
