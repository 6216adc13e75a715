import { ensureBuilt } from '../scripts/build.mjs'

/** Two builds of the same sources that differ in their version and in the names of all their files. */
export const builds = { usual: 'dist', next: 'dist/next' } as const

/** Creates the build `next`. Two processes must not call it at the same time. */
export function buildNext() {
  return ensureBuilt({ folder: builds.next, suffix: '.next', flags: ['--minify', 'false'] })
}
