import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve as absolutePath, join } from 'node:path'
import { settingNames } from '#server/config.ts'
import { cachedFolder, fingerprint } from './fingerprint.ts'
import { type SmtpServer, startSmtpServer } from './people/smtp.ts'

export interface BuiltServer {
  url: string
  /** The process id. */
  pid: number
  mails: SmtpServer
  /** Resolves with the exit code, or with null if a signal ended the process. */
  exited: Promise<number | null>
  stop(): Promise<void>
  /** Sends SIGKILL. The data stays. */
  kill(): Promise<void>
}

const logLevel = process.env.TEST_LOG_LEVEL ?? 'error'

export interface BuiltServerOptions {
  /** The folder of the build, absolute or relative to the project. */
  build?: string
  port?: number
  /** Data folder, which stays when the server stops. By default an empty one, removed by `stop`. */
  dataDir?: string
  /** Environment variables of the server, such as `GOOGLE_ISSUER`. */
  settings?: Record<string, string>
  /** Options of Node, such as `--cpu-prof`, in addition to this process's own. */
  nodeOptions?: string[]
}

/** Starts the built product in its own process, with a real mail server and by default an empty database. */
export async function startBuiltServer({
  build = 'dist',
  port = 0,
  dataDir: given,
  settings = {},
  nodeOptions = [],
}: BuiltServerOptions = {}): Promise<BuiltServer> {
  const mails = await startSmtpServer()
  const ownDir = build === 'dist' && !settings.DATABASE_URL ? migratedDataDir : newDataDir
  const dataDir = given ?? (await ownDir())
  const child = fork(absolutePath(import.meta.dirname, '..', build, 'server/main.js'), {
    env: {
      ...withoutSettings(process.env),
      PORT: String(port),
      DATA_DIR: dataDir,
      SMTP_URL: mails.url,
      LOG_LEVEL: logLevel,
      ...settings,
    },
    execArgv: [...process.execArgv, ...nodeOptions],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // Vitest and Playwright attribute what a test prints to it.
  for (const output of [child.stdout, child.stderr])
    output?.on('data', chunk => console.log(String(chunk).trimEnd()))
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const url = await readyUrl(child).catch(async error => {
    // An open mail server would keep the caller's process alive.
    await mails[Symbol.asyncDispose]()
    throw error
  })
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

/** Creates an empty data folder. The caller removes it. */
export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'pitboard-e2e-'))
}

let template: Promise<string> | undefined

/**
 * Creates a copy of the data of a server that has started once: a first start takes three times as long.
 * The caller removes it.
 */
export async function migratedDataDir(): Promise<string> {
  const dataDir = await newDataDir()
  template ??= findOrMakeTemplate()
  // The synchronous copy of a thousand small files needs a third of the processor time.
  cpSync(await template, dataDir, { recursive: true })
  return dataDir
}

async function findOrMakeTemplate(): Promise<string> {
  return cachedFolder(
    `data-${await fingerprint('dist/server/schema/migrations')}`,
    async dataDir => {
      const server = await startBuiltServer({ dataDir })
      await server.stop()
    },
  )
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', message => resolve((message as { url: string }).url))
    child.once('exit', code =>
      reject(new Error(`The server exited with ${code} before it was ready`)),
    )
  })
}

/** Removes the server's settings from the test runner's environment. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settingNames.includes(name)))
}
