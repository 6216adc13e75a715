import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { access, cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint, testCache } from './fingerprint.ts'
import { type SmtpSink, smtpSink } from './smtp.ts'

export interface BuiltServer {
  url: string
  /** Its process, for who looks at it from outside. */
  pid: number
  mails: SmtpSink
  /** The exit code once it ended, or none if a signal ended it. */
  exited: Promise<number | null>
  stop(): Promise<void>
  /** Ends it as a power cut does, in the middle of whatever it does. Its data stays. */
  kill(): Promise<void>
}

interface BuiltServerOptions {
  /** Which build, as a folder of the project. */
  build?: string
  port?: number
  /** Kept when the server stops; without one it gets one of its own, with no people, for as long as it runs. */
  dataDir?: string
  /** Environment variables of the server, such as `GOOGLE_ISSUER`. */
  settings?: Record<string, string>
  /** Options of Node itself, such as `--cpu-prof`. */
  nodeOptions?: string[]
}

/** The product as it is built, in a process of its own, with a real mail server and by default an empty database. */
export async function startBuiltServer({
  build = 'dist',
  port = 0,
  dataDir: given,
  settings = {},
  nodeOptions = [],
}: BuiltServerOptions = {}): Promise<BuiltServer> {
  const mails = await smtpSink()
  const ownDir = build === 'dist' && !settings.DATABASE_URL ? migratedDataDir : newDataDir
  const dataDir = given ?? (await ownDir())
  const child = fork(join(import.meta.dirname, '..', build, 'server/main.js'), {
    env: {
      ...withoutSettings(process.env),
      PORT: String(port),
      DATA_DIR: dataDir,
      SMTP_URL: mails.url,
      LOG_LEVEL: 'error',
      ...settings,
    },
    execArgv: [...process.execArgv, ...nodeOptions],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const url = await readyUrl(child)
  async function end(signal: 'SIGTERM' | 'SIGKILL') {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    await mails[Symbol.asyncDispose]()
  }
  return {
    url,
    pid: child.pid ?? 0,
    mails,
    exited,
    async stop() {
      await end('SIGTERM')
      if (given === undefined) await rm(dataDir, { recursive: true, force: true })
    },
    kill: () => end('SIGKILL'),
  }
}

/** An empty folder for a server's data. Whoever asks for it removes it. */
export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'pitboard-e2e-'))
}

let template: Promise<string> | undefined

/**
 * A copy of the data of a server that has started once, as the first start takes three times as long.
 * Whoever asks for it removes it.
 */
export async function migratedDataDir(): Promise<string> {
  const dataDir = await newDataDir()
  template ??= findOrMakeTemplate()
  await cp(await template, dataDir, { recursive: true })
  return dataDir
}

async function findOrMakeTemplate(): Promise<string> {
  const cache = fileURLToPath(testCache)
  const found = join(cache, `data-${await fingerprint('dist/server/migrations')}`)
  if (await isThere(found)) return found
  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(`${found}-`)
  try {
    const server = await startBuiltServer({ dataDir: making })
    await server.stop()
    // Renamed into place: another test process never copies half of it, and may have been quicker.
    await rename(making, found)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    if (!(await isThere(found))) throw error
  }
  return found
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', message => resolve((message as { url: string }).url))
    child.once('exit', code =>
      reject(new Error(`The server ended with ${code} before it was ready`)),
    )
  })
}

/** What the tester's own environment says of a server must not reach one that is made for a test. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings =
    /^(HOST|PUBLIC_URL|BACKUP_DIR|DATABASE_URL|NATS_URL|ALLOW_SHARED_DATABASE|TRUST_PROXY|MAIL_FROM|HISTORY_DAYS|FIXES_PER_SECOND|CONNECTIONS_PER_USER|METRICS_TOKEN|DEV|ANONYMOUS_ACCOUNTS|ALLOW_INSECURE_HTTP|ALLOW_MAIL_TO_TERMINAL|SECURITY_CONTACT|MAX_CONNECTIONS|(GOOGLE|S3|SMTP|SUPPORT)_.*)$/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)))
}
