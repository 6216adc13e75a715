// npm run restore -- FOLDER: puts a backup in the place of the data that DATA_DIR holds.
import { ensureInstalled, readSettings } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
readSettings()
process.setSourceMapsEnabled(true)
await import('../dist/server/restore.js')
