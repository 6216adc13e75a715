// What the scripts share. Plain Node: they run before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a program in the project's folder with its output shown. Answers its exit code. */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
      // npm is a .cmd on Windows.
      shell: process.platform === 'win32',
    })
    child.once('error', reject)
    child.once('exit', code => resolve(code ?? 1))
  })
}

/** Runs a program of node_modules by its name. */
export function runTool(name, args, env) {
  return run(join(root, 'node_modules', '.bin', name), args, env)
}

export async function mustSucceed(promise, what) {
  const code = await promise
  if (code === 0) return
  console.error(`\n${what} failed (exit code ${code}).`)
  process.exit(code)
}

/** Installs what the lock file names, unless that is what is there. */
export async function ensureInstalled() {
  const stamp = join(root, 'node_modules', '.installed-from')
  const wanted = hashOf(['package.json', 'package-lock.json', 'patches'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing what the lock file names…')
  await mustSucceed(
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']),
    'npm ci',
  )
  writeFileSync(stamp, wanted)
}

/** Settings of a file `.env`; what the environment says goes before. */
export function readSettings() {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/** One hash over the contents of files and folders. */
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
