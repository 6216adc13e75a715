// npm run restore -- FOLDER: replaces the data in DATA_DIR with a backup.
import { ensureInstalled, readSettings } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
readSettings()
process.setSourceMapsEnabled(true)
await import('../dist/server/restore.js')
