// Line icons on a grid of 16, drawn in the colour of the text.

const PATHS = {
  play: '<path d="M5 3.2v9.6a.5.5 0 0 0 .77.42l7.4-4.8a.5.5 0 0 0 0-.84l-7.4-4.8A.5.5 0 0 0 5 3.2z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M4.5 3h2.4v10H4.5zM9.1 3h2.4v10H9.1z" fill="currentColor" stroke="none"/>',
  back: '<path d="M10.5 3.5 6 8l4.5 4.5M4 3.5v9"/>',
  forward: '<path d="M5.5 3.5 10 8l-4.5 4.5M12 3.5v9"/>',
  loop: '<path d="M3 8a4 4 0 0 1 4-4h5.5M10.5 2l2 2-2 2M13 8a4 4 0 0 1-4 4H3.5M5.5 14l-2-2 2-2"/>',
  live: '<path d="M3 3.5v9M6 8h7M10 5l3 3-3 3"/>',
  fit: '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/><circle cx="8" cy="8" r="1.6"/>',
  follow: '<circle cx="8" cy="8" r="4.2"/><circle cx="8" cy="8" r="1" fill="currentColor"/><path d="M8 1.5v2.3M8 12.2v2.3M1.5 8h2.3M12.2 8h2.3"/>',
  layers: '<path d="m8 2.5 6 3-6 3-6-3zM2.5 8.3 8 11l5.5-2.7M2.5 11 8 13.7 13.5 11"/>',
  view: '<path d="m8 1.8 5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.7 5 8 8l5.3-3M8 8v6"/>',
  sun: '<circle cx="8" cy="8" r="2.8"/><path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1"/>',
  moon: '<path d="M13 9.6A5.6 5.6 0 1 1 6.4 3a4.5 4.5 0 0 0 6.6 6.6z"/>',
  help: '<path d="M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.5-1.1.9-1.1 1.8"/><circle cx="8" cy="12.3" r=".5" fill="currentColor"/>',
  search: '<circle cx="7" cy="7" r="4"/><path d="m10.2 10.2 3.3 3.3"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  minus: '<path d="M3 8h10"/>',
  reset: '<path d="M2 8h12M4.5 5.5 2 8l2.5 2.5M11.5 5.5 14 8l-2.5 2.5"/>',
  chevron: '<path d="m6 4 4 4-4 4"/>',
  warning: '<path d="M8 2.2 14.3 13.3H1.7z"/><path d="M8 6.4v3.4"/><circle cx="8" cy="11.6" r=".5" fill="currentColor"/>',
  more: '<circle cx="3.5" cy="8" r="1.1" fill="currentColor"/><circle cx="8" cy="8" r="1.1" fill="currentColor"/><circle cx="12.5" cy="8" r="1.1" fill="currentColor"/>',
  box: '<path d="M2.5 5V2.5H5M7 2.5h2M11 2.5h2.5V5M13.5 7v2M13.5 11v2.5H11M9 13.5H7M5 13.5H2.5V11M2.5 9V7"/>',
  camera: '<path d="M2 5h3l1-1.6h4L11 5h3v8H2z"/><circle cx="8" cy="8.8" r="2.4"/>',
  ruler: '<path d="M2 11.5 11.5 2 14 4.5 4.5 14zM5 8.5l1.4 1.4M7.2 6.3l1.4 1.4M9.4 4.1l1.4 1.4"/>',
  sliders: '<path d="M2.5 4.5h5M11.5 4.5h2M2.5 11.5h2M8.5 11.5h5"/><circle cx="9.5" cy="4.5" r="1.8"/><circle cx="6.5" cy="11.5" r="1.8"/>',
  chart: '<path d="M2.5 2.5v11h11M4.5 10.5 7 7l2.5 2 4-5"/>',
};

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = PATHS[name];
  return svg;
}
