import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, settingNames } from '#server/config.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

test('.env.example and OPERATIONS list exactly the settings', () => {
  const inExample = [...read('.env.example').matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(
    ([, name]) => name,
  )
  expect(new Set(inExample)).toEqual(new Set(settingNames))
  const table = read('docs/OPERATIONS.md').match(/^\| setting [^]*?\n\n/m)?.[0] ?? ''
  const inTable = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/[A-Z0-9_]+/g)].map(([name]) => name),
  )
  expect(new Set(inTable)).toEqual(new Set(settingNames))
})

interface Compose {
  services: Record<
    string,
    { image: string; environment?: Record<string, string>; volumes?: string[] }
  >
}

const given: Record<string, string> = {
  SITE: 'pitboard.example.com',
  POSTGRES_PASSWORD: 'secret',
  NATS_PASSWORD: 'secret',
  SMTP_URL: 'smtps://user:password@mail.example.com',
  MAIL_FROM: 'Pitboard <pitboard@example.com>',
}

describe.each([
  ['compose.yaml', ['node-a', 'node-b']],
  ['compose.single.yaml', ['pitboard']],
])('%s', (file, nodes) => {
  const { services } = parse(read(file), { merge: true }) as Compose

  test.each(nodes)('%s has only valid settings', name => {
    const settings = Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, filled(value)]),
    )
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(settings)))
    expect(readConfig({ HOST: '0.0.0.0', ...settings })).toMatchObject({
      publicUrl: 'https://pitboard.example.com',
      dev: false,
    })
  })

  test.each(nodes)('%s passes on every setting that the container does not fix', name => {
    const fixed = /^(PORT|HOST|HTTPS|HTTPS?_PORT|ACME_.*|DATA_DIR|DEV|DEV_TOKEN|ALLOW_.*)$/
    const others =
      file === 'compose.yaml'
        ? /^(ALLOW_SHARED_DATABASE|BACKUP_DIR|SUPPORT_BUILTIN|SUPPORT_ADMINS)$/
        : /^(ALLOW_SHARED_DATABASE|DATABASE_URL|NATS_URL)$/
    const open = settingNames.filter(each => !fixed.test(each) && !others.test(each))
    expect(Object.keys(services[name]?.environment ?? {}).sort()).toEqual([...open].sort())
  })

  test('files mounted from the project exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes)
    const ours = mounted
      .filter(volume => volume.startsWith('./'))
      .map(volume => volume.split(':')[0])
    expect(ours.filter(path => !existsSync(new URL(path ?? '', import.meta.url)))).toEqual([])
  })

  test('Caddy has the name of each node', () => {
    const known = services.caddy?.environment?.NODES?.split(' ')
    expect(known).toEqual(nodes.map(name => `${name}:3000`))
  })
})

test('the image sets known settings and runs an existing script', () => {
  const dockerfile = read('Dockerfile')
  const set = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map(pair => pair.split('=')[0] ?? ''),
  )
  expect(['NODE_ENV', ...settingNames]).toEqual(expect.arrayContaining(set))
  const script = /^RUN node (\S+)$/m.exec(dockerfile)?.[1] ?? ''
  expect(existsSync(new URL(script, import.meta.url))).toBe(true)
})

/** Substitutes `${NAME:?why}` and `${NAME:-default}` like Compose. */
function filled(text: string): string {
  return text.replace(
    /\$\{(\w+)(?::([?-])(.*?))?\}/g,
    (_, name: string, sign?: string, rest?: string) => {
      const value = given[name] ?? (sign === '-' ? rest : undefined)
      if (value === undefined) throw new Error(`${name} is not set`)
      return value
    },
  )
}
