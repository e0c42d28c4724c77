// @ts-check
/** Must be what src/data.ts says; the page refuses anything else. */
export const VERSION_INFO = Object.freeze({ format: /** @type {const} */ ("kingpin-view"), version: /** @type {const} */ (1) });
