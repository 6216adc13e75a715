import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Allowed imports. A rule names a folder (or file) and the folders it may import in addition to itself; the most
 * specific rule applies. Packages are checked only if a rule lists them.
 */
const table: Record<string, { may: string[]; packages?: string[] }> = {
  contract: { may: ['support/contract/support.ts'], packages: ['zod'] },
  'contract/shared': { may: [], packages: [] },
  client: { may: ['contract'], packages: [] },
  'server/db': { may: ['contract'] },
  // Programs and checks that read the settings.
  'server/db/backup/restore.ts': { may: ['contract', 'server/db', 'server/config.ts'] },
  'server/http/localRequest.ts': { may: ['contract', 'server/config.ts'] },
  'server/http': { may: ['contract', 'server/db/errors.ts', 'server/rateLimit'] },
  'server/rateLimit': { may: ['contract', 'server/db'] },
  'server/mail': { may: ['contract'] },
  'server/storage': { may: ['contract', 'server'] },
  'server/live/rooms/hub.ts': {
    may: ['contract', 'server/live/rooms/frame.ts', 'server/live/rooms/room.ts'],
    packages: [],
  },
  'server/live/rooms/room.ts': { may: ['contract', 'server/live/rooms/frame.ts'], packages: [] },
  'server/telemetry': { may: ['contract', 'server/db', 'server/log.ts'] },
  server: { may: ['contract', 'support/server/register.ts', 'support/server/settings.ts'] },
  'web/ui': {
    may: [],
    packages: ['react', 'react-dom', 'react-router', '@base-ui/react', 'lucide-react'],
  },
  'web/text': { may: ['contract'] },
  'web/device': { may: ['contract', 'client'], packages: [] },
  'web/api': { may: ['contract', 'web/text'] },
  'web/offline': {
    may: ['contract', 'client', 'web/api', 'web/device', 'web/live'],
    packages: ['idb', 'react', 'react-router'],
  },
  'web/live': { may: ['contract', 'client'], packages: ['react'] },
  'web/sw': {
    may: ['web/device'],
    packages: ['workbox-precaching', 'workbox-routing'],
  },
  'web/features/*': {
    may: [
      'contract',
      'client',
      'web/ui',
      'web/device',
      'web/api',
      'web/live',
      'web/offline',
      'web/text',
    ],
  },
  'web/app': { may: ['contract', 'client', 'web', 'support/web/register.ts'] },
  web: { may: ['contract', 'client'] },
  'support/contract': { may: ['contract'], packages: ['zod'] },
  'support/server': { may: ['contract', 'support/contract', 'server'] },
  'support/web': {
    may: [
      'contract',
      'support/contract',
      'web/ui',
      'web/device',
      'web/api',
      'web/live',
      'web/text',
    ],
  },
  'support/e2e': { may: ['contract', 'support', 'testing', 'e2e'] },
  'support/testing': { may: ['contract', 'support', 'server', 'testing'] },
  testing: {
    may: [
      'contract',
      'client',
      'server',
      'scripts/environment/chromium.mjs',
      'scripts/environment/postgres.mjs',
    ],
  },
  'testing/fuzz': { may: ['contract', 'server', 'testing', 'support'] },
  'testing/simulation': { may: ['contract', 'client', 'server', 'testing'] },
  sim: { may: ['contract', 'client', 'testing'] },
  bench: {
    may: ['contract', 'testing', 'sim', 'scripts/build.mjs', 'scripts/environment/postgres.mjs'],
  },
  e2e: { may: ['contract', 'testing', 'support', 'sim', 'scripts/build.mjs'] },
}

/** Files that may import `testing`. */
const mayTest = /\.(test|spec)\.tsx?$|^(testing|support\/testing|support\/e2e|e2e|sim|bench)\//

interface Import {
  file: string
  target: string
  isPackage: boolean
}

const imports = Object.keys(table)
  .map(folder => folder.split('/')[0] ?? '')
  .filter((folder, index, all) => all.indexOf(folder) === index)
  .flatMap(sourcesIn)
  .flatMap(importsOf)

test('the source files are found', () => {
  expect(imports.length).toBeGreaterThan(200)
})

test('every rule names folders and files that exist', () => {
  const named = Object.entries(table).flatMap(([folder, { may }]) => [folder, ...may])
  expect(named.filter(each => !existsSync(each.replace(/\/\*$/, '')))).toEqual([])
})

test('every import is allowed by the table', () => {
  expect(imports.filter(each => !isAllowed(each)).map(show)).toEqual([])
})

test('the pages under /dev are imported only where they are registered', () => {
  const crossing = imports.filter(
    ({ file, target }) =>
      target.startsWith('server/dev/') &&
      !file.startsWith('server/dev/') &&
      !mayTest.test(file) &&
      `${file} → ${target}` !== 'server/app.ts → server/dev/register.ts',
  )
  expect(crossing.map(show)).toEqual([])
})

test('features do not import each other', () => {
  const crossing = imports.filter(
    ({ file, target }) =>
      file.startsWith('web/features/') &&
      target.startsWith('web/features/') &&
      featureOf(file) !== featureOf(target),
  )
  expect(crossing.map(show)).toEqual([])
})

test('only tests and tools import testing code', () => {
  const leaks = imports.filter(
    ({ file, target }) => /^(support\/)?testing\//.test(target) && !mayTest.test(file),
  )
  expect(leaks.map(show)).toEqual([])
})

test('browser code imports only types from files that use zod', () => {
  const zodUsers = new Set(imports.filter(each => each.target === 'zod').map(each => each.file))
  const carriers = closure(zodUsers)
  const leaks = imports.filter(
    ({ file, target }) =>
      /^(web|client|support\/web)\//.test(file) && !mayTest.test(file) && carriers.has(target),
  )
  expect(leaks.map(show)).toEqual([])
})

/** Returns all files that load one of `files` at run time, directly or transitively. */
function closure(files: Set<string>): Set<string> {
  const all = new Set(files)
  for (let before = -1; before !== all.size; ) {
    before = all.size
    for (const { file, target } of imports) if (all.has(target)) all.add(file)
  }
  return all
}

function isAllowed({ file, target, isPackage }: Import): boolean {
  if (mayTest.test(file) && (/^(support\/)?testing\//.test(target) || isPackage)) return true
  const folder = ruleFor(file)
  const rule = table[folder]
  if (!rule) return false
  if (isPackage) return !rule.packages || rule.packages.includes(packageName(target))
  if (mayTest.test(file) && /^(server|contract|client|support)\//.test(target)) return true
  return [folder, ...rule.may].some(each => isInside(target, each))
}

function ruleFor(file: string): string {
  const fitting = Object.keys(table).filter(rule => isInside(file, rule))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? ''
}

function isInside(file: string, rule: string): boolean {
  if (rule.endsWith('/*')) return file.startsWith(rule.slice(0, -1))
  return file === rule || file.startsWith(`${rule}/`)
}

function featureOf(file: string): string {
  return file.split('/')[2] ?? ''
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name))
}

/** Returns the run-time imports of a file, without `import type`. */
function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8')
  const statements = source.matchAll(
    /^\s*(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...statements].map(match => resolve(file, match[1] ?? match[2] ?? ''))
}

function resolve(file: string, specifier: string): Import {
  if (specifier.startsWith('.')) {
    return { file, target: normalize(join(dirname(file), specifier)), isPackage: false }
  }
  if (specifier.startsWith('#')) return { file, target: specifier.slice(1), isPackage: false }
  return { file, target: specifier, isPackage: true }
}

function show({ file, target }: Import): string {
  return `${file} → ${target}`
}
