import { ensureBuilt } from '../scripts/build.mjs'

/** The browser tests look at what is built: never at an older build than the sources. */
export default function buildFirst() {
  return ensureBuilt()
}
