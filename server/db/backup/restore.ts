import path from 'node:path'
import { readConfig, SettingsRefused } from '../../config.ts'
import { DatabaseRefused } from '../database.ts'
import { restore } from '../engines/restore.ts'

/** npm run restore -- FOLDER: replaces DATA_DIR's database and files with a backup. */
async function main() {
  process.umask(0o077)
  const [folder, ...more] = process.argv.slice(2)
  if (!folder || folder.startsWith('-') || more.length > 0)
    throw new DatabaseRefused('Name the folder of one backup: npm run restore -- FOLDER')
  const { dataDir, databaseUrl } = readConfig(process.env)
  if (databaseUrl)
    throw new DatabaseRefused(
      'DATABASE_URL is set: restore that database with the tools of PostgreSQL.',
    )
  const { aside, cleared } = await restore({ from: path.resolve(folder), dataDir, now: Date.now() })
  printLine(`Restored ${folder} into ${dataDir}.`)
  for (const before of aside)
    printLine(`The previous data was moved to ${before}: delete it once everything works.`)
  if (cleared > 0)
    printLine(
      `The driver's screens of ${cleared} active sessions were cleared: send the present message to each again.`,
    )
}

function printLine(text: string) {
  process.stdout.write(`${text}\n`)
}

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingsRefused || error instanceof DatabaseRefused
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
})
