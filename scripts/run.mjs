// Helpers of all scripts. Plain Node: they run before packages are installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a program in the project's folder. Resolves with its exit code. */
export async function run(command, args, env) {
  const { code } = await start(command, args, env, 'inherit')
  return code
}

/** Runs a program of node_modules/.bin. Resolves with its exit code. */
export function runTool(name, args, env) {
  return run(tool(name), args, env)
}

/**
 * Runs a program of node_modules/.bin without printing its output, and resolves with it and the exit code. The program
 * can report its progress to our standard output, its file descriptor 3.
 */
export function runQuietly(name, args, env) {
  return start(tool(name), args, env, ['inherit', 'pipe', 'pipe', 1])
}

function tool(name) {
  return join(root, 'node_modules', '.bin', name)
}

function start(command, args, env, stdio) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio,
      env: { ...process.env, ...env },
      // npm is a .cmd on Windows.
      shell: process.platform === 'win32',
    })
    const output = []
    child.stdout?.on('data', chunk => output.push(chunk))
    child.stderr?.on('data', chunk => output.push(chunk))
    child.once('error', reject)
    child.once('close', code => {
      resolve({ code: code ?? 1, output: Buffer.concat(output).toString() })
    })
  })
}

export async function mustSucceed(promise, what) {
  const code = await promise
  if (code === 0) return
  console.error(`\n${what} failed (exit code ${code})`)
  process.exit(code)
}

/** Installs the packages of the lock file if it has changed. */
export async function ensureInstalled() {
  const stamp = join(root, 'node_modules', '.installed-from')
  const wanted = hashOf(['package.json', 'package-lock.json', 'patches'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing packages…')
  await mustSucceed(
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']),
    'npm ci',
  )
  writeFileSync(stamp, wanted)
}

/** Installs and builds what has changed, then runs a program of the built server with the settings. */
export async function runBuilt(name, prepare = () => {}) {
  await ensureInstalled()
  const { ensureBuilt } = await import('./build.mjs')
  await ensureBuilt()
  process.env.NODE_ENV ??= 'production'
  readSettings()
  prepare()
  process.setSourceMapsEnabled(true)
  await import(`../dist/server/${name}.js`)
}

/** Loads settings from `.env`; environment variables take precedence. */
export function readSettings() {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** Returns a hash of the contents of files and folders. */
export function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesIn(path))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function filesIn(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap(name => filesIn(`${path}/${name}`))
}
