import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import type { Person } from '#testing/people/person.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
})
afterAll(() => app[Symbol.asyncDispose]())

const rules = { ...noRules, name: 'Ours', maxStintMs: 4_500_000 }
const file = { format: 'pitboard-rule-pack', version: 1, rules }

async function newTeam() {
  const { id: teamId } = await ana.call.teams.create({ name: 'Night Owls' })
  return { teamId }
}

test('the packs of the app name their source', async () => {
  const packs = await ana.call.rulePacks.list(await newTeam())
  expect(packs.length).toBeGreaterThanOrEqual(3)
  for (const { isOwn, rules } of packs) {
    expect(isOwn).toBe(false)
    expect(rules.source?.url).toMatch(/^https?:\/\//)
    expect(rules.source?.checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

test('a team saves, shares and removes its own packs', async () => {
  const { teamId } = await newTeam()
  const other = await newTeam()
  const id = randomUUID()
  const { rulePacks } = ana.call
  const saved = await rulePacks.save({ teamId, id, rules })
  expect(saved.filter(({ isOwn }) => isOwn)).toEqual([{ id, isOwn: true, rules }])
  const longer = { ...rules, maxStintMs: 5_000_000 }
  const changed = await rulePacks.save({ teamId, id, rules: longer })
  expect(changed.at(-1)).toEqual({ id, isOwn: true, rules: longer })

  const importedId = randomUUID()
  const sent = { ...other, id: importedId, file: JSON.stringify(file) }
  const imported = await rulePacks.import(sent)
  expect(await rulePacks.import(sent)).toEqual(imported)
  expect(imported.at(-1)).toEqual({ id: importedId, isOwn: true, rules })
  await expect(rulePacks.save({ ...other, id, rules })).rejects.toMatchObject({ code: 'not-found' })

  await rulePacks.remove({ ...other, id })
  expect((await rulePacks.list({ teamId })).some(pack => pack.id === id)).toBe(true)
  const left = await rulePacks.remove({ teamId, id })
  expect(left.every(({ isOwn }) => !isOwn)).toBe(true)
})

test('a file that is not a rule pack is refused with the reason', async () => {
  const { teamId } = await newTeam()
  const refused = async (text: string, reason: string) =>
    expect(
      ana.call.rulePacks.import({ teamId, id: randomUUID(), file: text }),
    ).rejects.toMatchObject({ code: 'invalid-input', fields: { file: reason } })
  await refused('{', 'rule-pack-unreadable')
  await refused('\0', 'rule-pack-unreadable')
  await refused('"'.padEnd(10_001), 'too-long')
  for (const odd of [
    null,
    [],
    {},
    { ...file, version: 2 },
    { ...file, rules: { ...rules, maxStintMs: -1 } },
    { ...file, rules: { ...rules, maxStintMs: 1e99 } },
    { ...file, rules: { ...rules, name: '' } },
    {
      ...file,
      rules: { ...rules, source: { url: 'javascript:alert(1)', checkedOn: '2026-01-01' } },
    },
    { ...file, rules: { ...rules, stops: { kind: 'formula', everyMinutes: 0, minus: 1 } } },
  ])
    await refused(JSON.stringify(odd), 'rule-pack-wrong')
})
