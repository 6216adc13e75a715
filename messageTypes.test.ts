import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { testDatabase } from '#testing/database/database.ts'
import { messageText } from '#web/text/message.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

describe.each(messageTypes)('the message %s has', type => {
  const tone = type.toLowerCase()

  test('a colour', () => {
    expect(read('web/ui/theme/tokens.css')).toMatch(new RegExp(`--msg-${tone}: #[0-9a-f]{6};`))
  })

  test('a tone with the font sizes of its word', () => {
    const tones = read('web/ui/board/tones.module.css')
    const [, rule = ''] = new RegExp(`\\[data-tone="${tone}"\\] \\{([^}]+)\\}`).exec(tones) ?? []
    expect(rule).toContain(`--c: var(--msg-${tone});`)
    for (const layout of ['p', 'l', 't'])
      for (const measure of ['wdth', 'em', 'nx']) expect(rule).toContain(`--${layout}-${measure}:`)
  })

  test('a word', () => {
    expect(messageText.plate(type)).toBe(type.toUpperCase())
  })
})

test('the database accepts only these message types', async () => {
  await using made = await testDatabase()
  const { rows } = await sql<{ check: string }>`
    select pg_get_constraintdef(oid) as check from pg_constraint
    where contype = 'c' and conname in ('sessions_message_type_check', 'messages_type_check')
  `.execute(made.open.db)
  expect(rows).toHaveLength(2)
  for (const { check } of rows) {
    const accepted = [...check.matchAll(/'(\w+)'::text/g)].map(([, type]) => type)
    expect(accepted).toEqual([...messageTypes])
  }
})
