import { expect, test } from 'vitest'
import type { TeamChange } from '#contract/teamChanges.ts'
import { changeSentence } from './changeSentence.ts'

const of = { id: 1, at: 0, actor: 'Ana', person: 'Leo', before: null, after: null }

test('a kind of change that only a newer app knows has a sentence', () => {
  const newer: TeamChange = JSON.parse(JSON.stringify({ ...of, kind: 'kind-of-tomorrow' }))
  expect(changeSentence(newer)).toBe('Ana made a change that this version cannot name')
})

test('the invited person declines, a member invites', () => {
  expect(changeSentence({ ...of, actor: null, kind: 'invitation-declined' })).toMatch(/^Leo /)
  expect(changeSentence({ ...of, kind: 'invited' })).toBe('Ana invited Leo')
})
