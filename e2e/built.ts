import { ensureBuilt } from '../scripts/build.mjs'

/** Builds before the browser tests if the sources are newer than the build. */
export default function buildFirst() {
  return ensureBuilt()
}
