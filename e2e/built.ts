import { prepareForQuickServers } from '#testing/quickServer.ts'
import { ensureBuilt } from '../scripts/build.mjs'
import { startPostgres } from '../scripts/environment/postgres.mjs'

/**
 * Builds before the browser tests if the sources are newer than the build, and starts a private PostgreSQL server for
 * them if it is installed. Returns the function that stops it.
 */
export default async function buildFirst() {
  await ensureBuilt()
  const postgres = await startPostgres()
  if (!postgres) return undefined
  await prepareForQuickServers(postgres.url)
  process.env.BROWSER_DATABASE_URL = postgres.url
  return () => postgres.stop()
}
