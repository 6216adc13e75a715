import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { yellowMessages } from '#contract/shared/lapKinds.ts'
import { isAskable, knownTypes, messageTypes } from '#contract/shared/messageTypes.ts'
import { wordColours } from '#contract/shared/ownWords.ts'
import { testDatabase } from '#testing/database/database.ts'
import { messageText } from '#web/text/message.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** The custom property with the colour of a message, without spaces: `--msg-code60`. */
const tokenOf = (type: string) => `--msg-${type.toLowerCase().replaceAll(' ', '')}`

describe.each(knownTypes)('the message %s has', type => {
  const tone = type.toLowerCase()
  const token = tokenOf(type)

  test('a colour', () => {
    expect(read('web/ui/theme/tokens.css')).toMatch(new RegExp(`${token}: #[0-9a-f]{6};`))
  })

  test('a tone with the font sizes of its word', () => {
    const tones = read('web/ui/board/tones.module.css')
    const [, rule = ''] = new RegExp(`\\[data-tone="${tone}"\\] \\{([^}]+)\\}`).exec(tones) ?? []
    expect(rule).toContain(`--c: var(${token});`)
    for (const layout of ['p', 'l', 't'])
      for (const measure of ['wdth', 'em', 'nx']) expect(rule).toContain(`--${layout}-${measure}:`)
  })

  test('a word', () => {
    expect(messageText.plate(type)).toBe(type.toUpperCase())
  })
})

test('the checks of the database name the same messages as the contract', async () => {
  await using made = await testDatabase()
  const { rows } = await sql<{ name: string; check: string }>`
    select conname as name, pg_get_constraintdef(oid) as check from pg_constraint where contype = 'c'
  `.execute(made.open.db)
  const typesIn = (name: string) => {
    const { check = '' } = rows.find(row => row.name === name) ?? {}
    return [...check.matchAll(/'([\w ]+)'::text/g)].map(([, type]) => type)
  }
  expect(typesIn('messages_type_check')).toEqual([...knownTypes])
  expect(typesIn('messages_ask_check')).toEqual(knownTypes.filter(isAskable))
  expect(typesIn('laps_yellow_message_check')).toEqual([...yellowMessages])
})

test('wordColours has each colour of the pad once, but not that of ABORT', () => {
  const css = read('web/ui/theme/tokens.css')
  const colourOf = (type: string) => new RegExp(`${tokenOf(type)}: (#[0-9a-f]{6});`).exec(css)?.[1]
  const colours = wordColours.map(colourOf)
  expect(new Set(colours).size).toBe(wordColours.length)
  const others = messageTypes.filter(type => type !== 'Abort')
  const all = others.map(colourOf)
  expect(new Set(colours)).toEqual(new Set(all))
  expect(colours).not.toContain(colourOf('abort'))
})
