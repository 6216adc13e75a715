import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnWord } from '#contract/ownWords.ts'
import { maxOwnWords } from '#contract/shared/ownWords.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const newWord = (text: string, colour: OwnWord['colour'] = 'push'): OwnWord => ({
  id: randomUUID(),
  text,
  colour,
})

test('words are stored in capitals, in the order in which they were added', async () => {
  const { team } = await scene.newSession()
  const save = (word: OwnWord) => scene.ana.call.words.save({ teamId: team.id, word })
  const box = newWord('box  2', 'pit')
  await save(box)
  expect(await save(newWord('Cool'))).toMatchObject([
    { id: box.id, text: 'BOX 2', colour: 'pit' },
    { text: 'COOL', colour: 'push' },
  ])
  expect(await scene.leo.call.words.list({ teamId: team.id })).toHaveLength(2)
})

test.each([
  ['pit', 'word-reserved'],
  ['P I T', 'word-reserved'],
  ['code60', 'word-reserved'],
  ['Problem', 'word-reserved'],
  ['', 'missing'],
  ['ELEVEN CHAR', 'word-too-long'],
  ['ПИТ', 'word-letters'],
])('the word %j is refused as %s', async (text, detail) => {
  const { team } = await scene.newSession()
  const saving = scene.ana.call.words.save({ teamId: team.id, word: newWord(text) })
  await expect(saving).rejects.toMatchObject({
    code: 'invalid-input',
    fields: { 'word.text': detail },
  })
})

test('the red of ABORT is refused', async () => {
  const { team } = await scene.newSession()
  const word = { ...newWord('BOX'), colour: 'abort' as 'push' }
  await expect(scene.ana.call.words.save({ teamId: team.id, word })).rejects.toMatchObject({
    code: 'invalid-input',
  })
})

test('a duplicate except for spaces is refused, also if two people add it at once', async () => {
  const { team } = await scene.newSession()
  const added = await Promise.allSettled(
    ['BOX 2', 'BOX2'].map(text =>
      scene[text === 'BOX2' ? 'ana' : 'leo'].call.words.save({
        teamId: team.id,
        word: newWord(text),
      }),
    ),
  )
  expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(added.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'invalid-input', fields: { 'word.text': 'word-taken' } },
  })
})

test('a fifth word is refused, also when several people add words at once', async () => {
  const { team } = await scene.newSession()
  const added = await Promise.allSettled(
    Array.from({ length: maxOwnWords + 2 }, (_, index) =>
      scene[index % 2 === 0 ? 'ana' : 'leo'].call.words.save({
        teamId: team.id,
        word: newWord(`BOX ${index}`),
      }),
    ),
  )
  const refused = added.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(2)
  for (const each of refused)
    expect(each).toMatchObject({ reason: { code: 'invalid-input', detail: 'words-too-many' } })
  expect(await scene.ana.call.words.list({ teamId: team.id })).toHaveLength(maxOwnWords)
})

test('a deleted word can be added again in its old place', async () => {
  const { team } = await scene.newSession()
  const [first, second] = [newWord('BOX'), newWord('COOL')]
  for (const word of [first, second]) await scene.ana.call.words.save({ teamId: team.id, word })
  const remove = { teamId: team.id, wordId: first.id }
  expect(await scene.ana.call.words.remove(remove)).toEqual([second])
  expect(await scene.ana.call.words.remove(remove)).toEqual([second])
  expect(await scene.ana.call.words.save({ teamId: team.id, word: first })).toEqual([first, second])
})

test('the id of another team’s word is not found, and that word stays', async () => {
  const [one, other] = [await scene.newSession(), await scene.newSession()]
  const word = newWord('BOX')
  await scene.ana.call.words.save({ teamId: one.team.id, word })
  const theft = scene.ana.call.words.save({
    teamId: other.team.id,
    word: { ...word, text: 'STOLEN' },
  })
  await expect(theft).rejects.toMatchObject({ code: 'not-found' })
  await scene.ana.call.words.remove({ teamId: other.team.id, wordId: word.id })
  expect(await scene.ana.call.words.list({ teamId: one.team.id })).toEqual([word])
})

test('every member is notified, and the history records who changed what', async () => {
  const { team } = await scene.newSession()
  const viewer = await scene.app.person('Vera')
  await addMember(scene.ana, team.id, viewer)
  await scene.ana.call.teams.setRole({ teamId: team.id, userId: viewer.id, role: 'viewer' })
  const page = await viewer.connect()
  page.send({ t: 'subscribe', room: `user:${viewer.id}` })
  await page.next('snapshot')
  const word = newWord('BOX')
  const save = (changed: Partial<OwnWord>) =>
    scene.ana.call.words.save({ teamId: team.id, word: { ...word, ...changed } })
  await save({})
  expect(await page.next('team-changed')).toMatchObject({ team: team.id })
  await save({})
  await save({ text: 'BOX 2' })
  await scene.leo.call.words.remove({ teamId: team.id, wordId: word.id })
  const { changes } = await viewer.call.teams.changes({ teamId: team.id })
  expect(changes.slice(0, 3)).toMatchObject([
    { kind: 'word-removed', actor: 'Leo Tester', before: 'BOX 2', after: null },
    { kind: 'word-changed', actor: 'Ana Tester', before: 'BOX', after: 'BOX 2' },
    { kind: 'word-added', actor: 'Ana Tester', before: null, after: 'BOX' },
  ])
})
