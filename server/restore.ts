import path from 'node:path'
import { readConfig, SettingsRefused } from './config.ts'
import { DatabaseRefused } from './db/database.ts'
import { restore } from './db/embedded/restore.ts'

/** npm run restore -- FOLDER: puts a backup in the place of DATA_DIR's database and files. */
async function main() {
  process.umask(0o077)
  const [folder] = process.argv.slice(2)
  if (!folder) throw new DatabaseRefused('Which backup? npm run restore -- FOLDER')
  const { dataDir, databaseUrl } = readConfig(process.env)
  if (databaseUrl)
    throw new DatabaseRefused(
      'DATABASE_URL is set: restore that database with the tools of PostgreSQL.',
    )
  const aside = await restore({ from: path.resolve(folder), dataDir, now: Date.now() })
  say(`Restored ${folder} into ${dataDir}.`)
  for (const before of aside) say(`What was there is now ${before}: delete it once all is well.`)
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingsRefused || error instanceof DatabaseRefused
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
})
