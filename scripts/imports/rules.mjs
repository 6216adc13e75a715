import { dirname, join, normalize } from 'node:path'

// Which folder may import which. The linter (lintPlugin.mjs) and architecture.test.ts read these rules.

/**
 * Allowed imports. A rule names a folder (or file) and the folders it may import in addition to itself; the most
 * specific rule applies. Packages are checked only if a rule lists them.
 *
 * @type {Record<string, { may: string[], packages?: string[] }>}
 */
export const table = {
  contract: { may: ['support/contract/support.ts'], packages: ['zod'] },
  'contract/shared': { may: [], packages: [] },
  client: { may: ['contract'], packages: [] },
  racing: { may: ['contract/shared'], packages: ['csv-parse', 'saxes'] },
  // Reads files.
  'racing/command': { may: ['contract/shared', 'racing'] },
  'server/db': { may: ['contract'] },
  // Programs and checks that read the settings.
  'server/db/backup/restore.ts': { may: ['contract', 'server/db', 'server/config.ts'] },
  'server/http': { may: ['contract', 'server/db/errors.ts', 'server/rateLimit', 'server/rights'] },
  'server/rateLimit': { may: ['contract', 'server/db'] },
  'server/mail': { may: ['contract'] },
  // Independent of sockets and database.
  'server/live/publish': { may: ['contract', 'server/config.ts', 'server/log.ts'] },
  'server/telemetry': {
    may: ['contract', 'server/db', 'server/log.ts', 'server/rateLimit', 'server/tryEach.ts'],
  },
  server: {
    may: ['contract', 'racing', 'support/server/register.ts', 'support/server/settings.ts'],
  },
  'web/text': { may: ['contract'], packages: [] },
  'web/device': { may: ['contract', 'client'], packages: [] },
  'web/api': { may: ['contract', 'web/text'] },
  'web/ui': {
    may: ['contract', 'web/api', 'web/device', 'web/text'],
    packages: [
      'react',
      'react-dom',
      'react-router',
      'react-hook-form',
      '@tanstack/react-query',
      '@base-ui/react',
      'lucide-react',
      'qrcode-generator',
    ],
  },
  'web/live': {
    may: ['contract', 'client', 'web/device'],
    packages: ['react', '@tanstack/react-query'],
  },
  'web/offline': {
    may: ['contract', 'client', 'web/api', 'web/device', 'web/live'],
    packages: ['idb', 'react', 'react-router'],
  },
  'web/sw': {
    may: ['contract', 'web/device', 'web/text'],
    packages: ['workbox-precaching', 'workbox-routing'],
  },
  ...screenRules(),
  'web/app': {
    may: ['contract', 'client', 'web', 'support/web/register.ts', 'support/web/registerVisit.ts'],
  },
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
      'scripts/build.mjs',
      'scripts/commandLine.mjs',
      'scripts/environment/chromium.mjs',
      'scripts/environment/postgres.mjs',
    ],
  },
  'testing/fuzz': { may: ['contract', 'server', 'testing', 'support', 'scripts/commandLine.mjs'] },
  'testing/simulation': {
    may: ['contract', 'client', 'server', 'testing', 'scripts/commandLine.mjs'],
  },
  // Computes clocks with the functions of the screens.
  'testing/simulation/race': {
    may: [
      'contract',
      'client',
      'racing',
      'server',
      'testing',
      'web/drive',
      'web/race',
      'web/text',
      'web/wall',
    ],
  },
  sim: { may: ['contract', 'client', 'testing'] },
  bench: {
    may: [
      'contract',
      'testing',
      'sim',
      'scripts/build.mjs',
      'scripts/commandLine.mjs',
      'scripts/environment/postgres.mjs',
    ],
  },
  e2e: {
    may: ['contract', 'testing', 'support', 'sim', 'scripts/build.mjs', 'scripts/commandLine.mjs'],
  },
}

/** Returns the rules of the folders with screens: each may import those before it. */
function screenRules() {
  const beneath = ['contract', 'client', 'racing'].concat(
    ['text', 'device', 'api', 'ui', 'live', 'offline'].map(name => `web/${name}`),
  )
  const screens = [
    'account',
    'race',
    'circuits',
    'laps',
    'timing',
    'message',
    'replay',
    'teams',
    'drive',
    'wall',
  ]
  const folders = screens.map(name => `web/${name}`)
  const rules = Object.fromEntries(
    folders.map((folder, index) => [folder, { may: [...beneath, ...folders.slice(0, index)] }]),
  )
  rules['web/account'].may.push('support/web/registerMenu.tsx')
  return rules
}

/** Files that may import `testing`. */
const mayTest = /\.(test|spec)\.tsx?$|^(testing|support\/testing|support\/e2e|e2e|sim|bench)\//

/** Top-level folders with rules. */
export const folders = [...new Set(Object.keys(table).map(rule => rule.split('/')[0] ?? ''))]

/** True for tests and tools. */
export function isTestCode(file) {
  return mayTest.test(file)
}

/** Returns the file or package that `specifier` names in `file`. */
export function resolve(file, specifier) {
  if (specifier.startsWith('.')) {
    return { file, target: normalize(join(dirname(file), specifier)), isPackage: false }
  }
  if (specifier.startsWith('#')) return { file, target: specifier.slice(1), isPackage: false }
  return { file, target: specifier, isPackage: true }
}

/** Returns why a run-time import is not allowed, or null. */
export function refusal({ file, target, isPackage }) {
  if (!folders.includes(file.split('/')[0])) return null
  if (!isTestCode(file) && isTesting(target)) return 'Only tests and tools import testing code.'
  const folder = ruleFor(file)
  const rule = table[folder]
  if (!rule) return 'This folder has no rule.'
  if (isPackage) {
    const isFree = isTestCode(file) || !rule.packages || rule.packages.includes(packageOf(target))
    return isFree ? null : `${folder} may import the packages: ${list(rule.packages)}.`
  }
  if (isTestCode(file)) {
    if (isTesting(target) || /^(server|contract|client|racing|support)\//.test(target)) return null
  }
  if ([folder, ...rule.may].some(each => isInside(target, each))) return null
  return `${folder} may import: ${list(rule.may)}.`
}

function isTesting(target) {
  return isInside(target, 'testing') || isInside(target, 'support/testing')
}

function ruleFor(file) {
  const fitting = Object.keys(table).filter(rule => isInside(file, rule))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? ''
}

function isInside(file, rule) {
  if (rule.endsWith('/*')) return file.startsWith(rule.slice(0, -1))
  return file === rule || file.startsWith(`${rule}/`)
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function list(names) {
  return names.join(', ') || 'none'
}
