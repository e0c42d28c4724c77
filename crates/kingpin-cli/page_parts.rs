/// What the report page is built from, in `viewer/`. Cargo builds the page anew when one of these changes; one that
/// does not exist would count as changed every time.
pub const PAGE_PARTS: [&str; 6] =
    ["src", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.js"];
