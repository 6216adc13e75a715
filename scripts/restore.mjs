// npm run restore -- FOLDER: replaces the data in DATA_DIR with a backup.
import { runBuilt } from './run.mjs'

await runBuilt('restore')
