import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file, nothing fetched: scripts and styles go inline, so that a report can be mailed and opened from disk.
export default defineConfig({
  base: "./",
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2022", chunkSizeWarningLimit: 2000, modulePreload: false },
});
