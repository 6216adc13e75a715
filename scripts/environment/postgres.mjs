// A private PostgreSQL server for tests, from the system's binaries. Plain Node.
import { execFile, spawn } from 'node:child_process'
import { access, chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const START_TIMEOUT_MS = 30_000

/**
 * Starts a new cluster in a temporary directory, on 127.0.0.1, without passwords. Data survives `halt()` and
 * `resume()`, but not `stop()`, and a crash of the machine only if it is `durable`. Returns null if PostgreSQL is not
 * installed.
 * @param {{ durable?: boolean }} [options]
 * @returns {Promise<{ url: string, programs: string, halt: () => Promise<void>, resume: () => Promise<void>, stop: () => Promise<void> } | null>}
 */
export async function startPostgres({ durable = false } = {}) {
  const binaries = await findBinaries()
  if (!binaries) return null
  const user = process.getuid?.() === 0 ? await ordinaryUser() : undefined
  if (user === null) return null

  const directory = await mkdtemp(path.join(os.tmpdir(), 'pitboard-postgres-'))
  await chmod(directory, 0o700)
  if (user) await chown(directory, user.uid, user.gid)
  try {
    return await startCluster(binaries, directory, { user, durable })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

async function startCluster(binaries, directory, { user, durable }) {
  const options = { cwd: directory, uid: user?.uid, gid: user?.gid, env: cleanEnvironment() }
  const cluster = path.join(directory, 'cluster')
  const initdb = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  await run(path.join(binaries, 'initdb'), initdb, options)

  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = () => launch(path.join(binaries, 'postgres'), cluster, flags, options)
  const restarting = { server: await start() }

  // The process may exit without calling stop, and must not leave the server running.
  const killAtExit = () => restarting.server.kill('SIGQUIT')
  process.once('exit', killAtExit)
  const halt = async () => {
    // SIGINT is a fast shutdown, which does not wait for open connections.
    restarting.server.kill('SIGINT')
    await restarting.server.ended
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    programs: binaries,
    halt,
    async resume() {
      restarting.server = await start()
    },
    async stop() {
      process.off('exit', killAtExit)
      await halt()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Resolves when the server is ready; otherwise throws with its output. */
async function launch(program, cluster, flags, options) {
  const server = spawn(program, ['-D', cluster, ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise(resolve => server.once('exit', resolve))
  let output = ''
  server.stderr.on('data', text => {
    output = (output + text).slice(-4000)
  })
  const failed = await Promise.race([
    ready(path.join(cluster, 'postmaster.pid')),
    ended.then(() => 'it exited'),
  ])
  const kill = signal => server.kill(signal)
  if (!failed) return { kill, ended }
  kill('SIGQUIT')
  await ended
  throw new Error(`PostgreSQL did not start (${failed}):\n${output}`)
}

/** Waits for the state `ready` in the eighth line of postmaster.pid. */
async function ready(pidFile) {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const text = await readFile(pidFile, 'utf8').catch(() => '')
    if (text.split('\n')[7]?.trim() === 'ready') return undefined
    await pause(30)
  }
  return `not ready after ${START_TIMEOUT_MS} ms`
}

/** Finds the newest version in Debian's folder of versions, else the one on the PATH. */
async function findBinaries() {
  const root = '/usr/lib/postgresql'
  const versions = await readdir(root).catch(() => [])
  versions.sort((a, b) => Number(b) - Number(a))
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(folder => folder !== '')
  for (const folder of [...versions.map(version => path.join(root, version, 'bin')), ...onPath])
    if (await hasServer(folder)) return folder
  return undefined
}

async function hasServer(folder) {
  const files = ['initdb', 'postgres'].map(name => access(path.join(folder, name)))
  return Promise.all(files).then(
    () => true,
    () => false,
  )
}

/** Returns an unprivileged user, because PostgreSQL refuses to run as root. */
async function ordinaryUser() {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  const entry = ['postgres', 'nobody'].map(name => lines.find(([n]) => n === name)).find(Boolean)
  return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : null
}

/** Removes PGDATA, PGPORT and similar variables from the environment. */
function cleanEnvironment() {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))
  return { ...Object.fromEntries(others), LC_ALL: 'C', TZ: 'UTC' }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
