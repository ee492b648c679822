/** `service-worker/build.ts` writes it into the worker of each build. */
declare const BUILD: { version: string; precached: string[] }

export const { version, precached } = BUILD

/** The page of the build without rendered content. */
export const SHELL = '/index.html'
