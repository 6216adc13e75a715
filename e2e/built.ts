import { startDatabases } from '#testing/quickServer.ts'
import { ensureBuilt } from '../scripts/build.mjs'

/** Builds before the browser tests if the sources are newer than the build, and starts their database server. */
export default async function buildFirst() {
  await ensureBuilt()
  return startDatabases()
}
