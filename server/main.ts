import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startApp } from './app.ts'
import { systemClock } from './clock.ts'
import { type Config, hasDevPages, readConfig, SettingsRefused } from './config.ts'
import { startBackups } from './db/backup/backup.ts'
import { DatabaseRefused } from './db/database.ts'
import { claimDatabase } from './db/databaseClaim.ts'
import { restrictToOwner } from './db/dataFolder.ts'
import { openDatabase } from './db/engines/open.ts'
import { migrate } from './db/migrate.ts'
import { clearIfRestored } from './db/schema/clearIfRestored.ts'
import { createLog, type Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { exitWithFailure, handleUncaughtErrors } from './uncaughtErrors.ts'

/**
 * A graceful shutdown takes about a second; compose.yaml kills the process after 15 s. Exiting without one loses
 * nothing that was acknowledged.
 */
const shutdownTimeoutMs = 12_000

/** Settings → database → app → listen; shuts down in reverse. */
async function main() {
  // Files that the server writes are not readable by other users of the machine.
  process.umask(0o077)
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const uncaught = handleUncaughtErrors(log)
  const { databaseUrl, dataDir, backupDir } = config
  await restrictToOwner(dataDir, log)
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    onWarning: error => log.warn({ err: error }, 'database warning'),
  })
  let releaseClaim = async () => {}
  try {
    if (databaseUrl)
      releaseClaim = await claimDatabase({ databaseUrl, shared: mayShare(config), log })
    await database.withoutStatementTimeout(() => migrate(database.db))
    // `npm run restore` clears the embedded database.
    if (databaseUrl) await clearIfRestored(database.db, log)
    const stopBackups = backupDir
      ? startBackups({
          db: database.db,
          dataDir,
          backupDir,
          onWarning: error => log.error({ err: error }, 'failed to make a backup'),
        })
      : async () => undefined
    const mailer = createMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      print: config.printsMails ? printLine : undefined,
    })
    const app = await startApp({
      config,
      log,
      database,
      mailer,
      https: await openHttps(config, log),
      webFolder: builtWeb(),
      openApiAtStart: true,
    }).catch(async (error: unknown) => {
      mailer.close()
      await stopBackups()
      throw error
    })
    printLine(`\nPitboard is ready: ${app.url}`)
    printLine(whereMailsAre(config, { url: app.url, hasOutbox: mailer.outbox !== undefined }))
    process.send?.({ url: app.url })
    const failure = await Promise.race([untilStopped(), uncaught.happened, database.failure])
    if (failure) {
      log.fatal({ err: failure }, 'database failed, stopping the server')
      exitWithFailure()
    }
    exitWithin(shutdownTimeoutMs, log)
    // A large file that is being copied delays neither closed connections nor stored fixes.
    const backupsStopped = stopBackups()
    await app.close()
    mailer.close()
    await backupsStopped
  } catch (error) {
    // Also ends a process whose database or backup does not close.
    exitWithFailure()
    throw error
  } finally {
    await database.close()
    await releaseClaim()
  }
}

/** Opens HTTPS if the server speaks it itself. Its code is loaded only then. */
async function openHttps(config: Config, log: Log) {
  if (config.https === undefined) return undefined
  const { Setup } = await import('./https/setup.ts')
  const setup = config.smtpUrl === undefined ? new Setup(systemClock) : undefined
  const context = { config, log, clock: systemClock, print: printLine, setup }
  if (config.https === 'paddock') {
    const { Paddock } = await import('./https/paddock.ts')
    return Paddock.open({ ...context, webFolder: builtWeb() })
  }
  const { AutomaticHttps } = await import('./https/automaticHttps.ts')
  return AutomaticHttps.open(context)
}

/** Logs where mails are, and how to open the pages under /dev. */
function whereMailsAre(config: Config, { url, hasOutbox }: { url: string; hasOutbox: boolean }) {
  if (!hasOutbox) return ''
  return hasDevPages(config)
    ? `No mail server is configured (SMTP_URL): mails are shown here and at ${url}/dev/mailbox?token=${config.devToken}\n`
    : 'No mail server is configured (SMTP_URL): mails are only shown here.\n'
}

/**
 * Whether other processes may use the same PostgreSQL database: NATS connects them, or the setting allows
 * it.
 */
function mayShare({ natsUrl, allowSharedDatabase }: Config): boolean {
  return natsUrl !== undefined || allowSharedDatabase
}

/** Folder of the built web app: beside the bundled server, or in `dist` when running from source. */
function builtWeb(): string {
  const folders = ['../web/', '../dist/web/'].map(path =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return folders.find(folder => existsSync(`${folder}version.json`)) ?? folders[0] ?? ''
}

function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    // A second Ctrl-C skips the graceful shutdown.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
}

/** Exits after a timeout, so that a hanging resource cannot keep a stopped server alive. */
function exitWithin(timeoutMs: number, log: Log) {
  setTimeout(() => {
    log.error({ timeoutMs }, 'graceful shutdown timed out, exiting')
    process.exit(1)
  }, timeoutMs).unref()
}

/** The command that allows this user to listen on a port such as 80, if that was refused. */
function grant(error: Error): string {
  if (process.platform !== 'linux' || !('code' in error) || error.code !== 'EACCES') return ''
  return `Allow Node to listen on ports below 1024, once:\n  sudo setcap cap_net_bind_service=+ep ${realpathSync(process.execPath)}\n`
}

function printLine(text: string) {
  process.stdout.write(`${text}\n`)
}

main().catch((error: unknown) => {
  const expected = error instanceof SettingsRefused || error instanceof DatabaseRefused
  const noListening =
    error instanceof Error &&
    'syscall' in error &&
    /^(listen|getaddrinfo)$/.test(String(error.syscall))
  if (expected) process.stderr.write(`${error.message}\n`)
  else if (noListening)
    process.stderr.write(`Cannot listen on HOST and PORT: ${error.message}\n${grant(error)}`)
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  exitWithFailure()
})
