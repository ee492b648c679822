/** What `service-worker/build.ts` writes into the worker of each build. */
declare const BUILD: { version: string; precached: string[] }

export const { version, precached } = BUILD

/** The page of the build, with nobody's first screen in it. */
export const SHELL = '/index.html'
