import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { minProtocol, protocol } from '#contract/shared/liveRules.ts'
import { callLimits } from '#server/http/callLimits.ts'

/** Folders and files of the repository. Others, such as `dist`, `data` and `shots`, are made by commands. */
const folders =
  '.github bench client contract deploy docs e2e patches racing scripts server sim support testing web'.split(
    ' ',
  )
const files = [
  ...readdirSync('.', { withFileTypes: true }).flatMap(each => (each.isFile() ? [each.name] : [])),
  ...folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  ),
]
const known = new Set([...folders, ...files])
const names = new Set(files.map(file => basename(file)))
const scripts: object = JSON.parse(readFileSync('package.json', 'utf8')).scripts
const documents = files.filter(file => file.endsWith('.md'))

test('the documents are found', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/LIVE.md', 'bench/README.md']),
  )
})

test('all documents together have at most 32,000 words', () => {
  const words = documents.map(
    file => readFileSync(file, 'utf8').match(/\S*[\p{L}\p{N}]\S*/gu) ?? [],
  )
  expect(words.flat().length).toBeLessThanOrEqual(32_000)
})

describe.each(documents)('%s', file => {
  const text = readFileSync(file, 'utf8')

  test('names only files and folders that exist', () => {
    const paths = codeOf(text).flatMap(code => code.split(/\s+/).flatMap(pathsOf))
    expect(paths.filter(path => !exists(path, file))).toEqual([])
  })

  test('names only code that is defined in the file named beside it', () => {
    const missing = namesWithFiles(text).filter(
      ({ name, path }) => !filesNamed(path).some(each => defines(readFileSync(each, 'utf8'), name)),
    )
    expect(missing).toEqual([])
  })

  test('links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
      ([, link = '']) => link,
    )
    expect(links.filter(link => !leadsSomewhere(link, file))).toEqual([])
  })

  test('names only scripts of package.json', () => {
    const named = codeOf(text).flatMap(code =>
      [...code.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
    )
    expect(named.filter(name => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

test('docs/SECURITY.md names every file that limits a rate or a number of connections', () => {
  const limiting =
    /\b(enforceSharedLimit|rateLimits\.(enforce|require|tryConsume)|new (TokenBuckets?|OpenCounts))\(/
  const limits = files.filter(
    file =>
      /^(contract|server|support\/(contract|server))\/.*(?<!\.test)\.ts$/.test(file) &&
      !file.startsWith('server/rateLimit/') &&
      limiting.test(readFileSync(file, 'utf8')),
  )
  expect(limits.length).toBeGreaterThan(10)
  const named = readFileSync('docs/SECURITY.md', 'utf8')
  expect(limits.filter(file => !named.includes(file))).toEqual([])
})

test('docs/SECURITY.md has the limits of calls', () => {
  const rows = readFileSync('docs/SECURITY.md', 'utf8').matchAll(
    /^\| `(\w+)` \| .* \| ([\d,]+) (a minute|an hour) \|$/gm,
  )
  const listed = [...rows].map(([, name = '', limit = '', window]) => [
    name,
    { limit: Number(limit.replace(',', '')), windowMs: window === 'an hour' ? 3_600_000 : 60_000 },
  ])
  expect(Object.fromEntries(listed)).toEqual(callLimits)
})

test('docs/LIVE.md has the history of the protocol, and which versions are supported', () => {
  const rows = [
    ...readFileSync('docs/LIVE.md', 'utf8').matchAll(/^\| (\d+) \| .+ \| (yes|no)\b.*\|$/gm),
  ]
  const history = rows.map(([, version, supported]) => ({ version: Number(version), supported }))
  const expected = Array.from({ length: protocol }, (_, index) => ({
    version: index + 1,
    supported: index + 1 < minProtocol ? 'no' : 'yes',
  }))
  expect(history).toEqual(expected)
})

/** Returns the contents of code blocks and of code in sentences. */
function codeOf(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```\w*\n([^]*?)^```/gm)]
  const inline = [...markdown.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)]
  return [...blocks, ...inline].map(([, code = '']) => code)
}

/** Returns the word, or one word per choice in braces. */
function choicesOf(word: string): string[] {
  const [, before = '', choices = '', after = ''] = /^([^{}]*)\{([^{}]+)\}(.*)$/.exec(word) ?? []
  if (!choices) return [word]
  return choices.split(',').flatMap(each => choicesOf(before + each + after))
}

/** Returns the paths that a word in code font names, one for each choice in braces; an empty list if it is not a path. */
function pathsOf(word: string): string[] {
  return choicesOf(word).flatMap(pathOf)
}

function pathOf(word: string): string[] {
  const path = word.replace(/(\/\*+)?[/.,:;)]*$/, '').replace(/^\.\//, '')
  if (/^[\w@+.-]+\.(tsx?|m?js|css|sql)$/.test(path)) return [path]
  const isPath = /^[\w@+.-]+(\/[\w@+.-]+)+$/.test(path)
  return isPath && folders.includes(path.split('/', 1)[0] ?? '') ? [path] : []
}

/**
 * Returns each name with the path beside it, as in `name` in `path`, `name` (`path`) or `path`, `name`. A name is that
 * of code, such as `#refresh`, or of a call, such as `roster.get`.
 */
function namesWithFiles(markdown: string): { name: string; path: string }[] {
  const name = '`(?<name>#?[a-zA-Z]\\w*(?:\\.(?!(?:tsx?|mjs|css|sql|md|json)`)\\w+)?)`'
  const path = '`(?<path>[\\w./-]+\\.(?:tsx?|mjs))`'
  const pairs = [`${name} (?:in |\\()${path}`, `${path}(?:, | \\()${name}(?! (?:in|of) )`]
  return pairs.flatMap(pair =>
    [...markdown.matchAll(new RegExp(pair, 'g'))].map(({ groups }) => ({
      name: groups?.name ?? '',
      path: groups?.path ?? '',
    })),
  )
}

/** Returns the files that a path may name; a name without a folder names all files of that name. */
function filesNamed(path: string): string[] {
  return files.filter(file => file === path || file.endsWith(`/${path}`))
}

/**
 * Returns true if the source defines the name: a declaration, or a member of a class, type or object. Imports and
 * calls do not count. Of a call such as `roster.get` it also has to define `roster` or to handle its calls, or it has
 * a row of this name.
 */
function defines(source: string, name: string): boolean {
  if (source.includes(`'${name}': `)) return true
  const [, owner, member = name] = /^(\w+)\.(\w+)$/.exec(name) ?? []
  if (owner !== undefined && !defines(source, owner) && !source.includes(`<typeof ${owner},`))
    return false
  const definitions = [
    // function member, const member, …
    `\\b(?:function\\*?|const|let|class|type|interface|enum) ${member}\\b`,
    // member: …, member?: …
    `(?<![\\w#.])${member}\\??:(?!:)`,
    // member = … in a class
    `^ {2}(?:static |readonly )*${member} = `,
    // member(…) {
    `^( +)(?:static |async |get |set )*\\*?${member}(?:<.+>)?\\((?:.*|\\n(?:\\1 .*\\n)*\\1)\\)(?:: .+)? \\{$`,
  ]
  return definitions.some(each => new RegExp(each, 'm').test(source))
}

/** A name without a folder may name any file. Paths may start at the document's folder. */
function exists(path: string, document: string): boolean {
  if (!path.includes('/')) return names.has(path)
  return known.has(path) || known.has(join(dirname(document), path))
}

function leadsSomewhere(link: string, document: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? document : join(dirname(document), path)
  if (!existsSync(target)) return false
  return heading === undefined || headingsOf(readFileSync(target, 'utf8')).includes(heading)
}

/** Returns the anchors that GitHub gives to a document's headings. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
