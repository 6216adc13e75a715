import { expect, test } from 'vitest'
import { eachLine } from './lines.ts'

test.each([
  ['LF', 'a\nb\n', ['a', 'b']],
  ['CRLF', 'a\r\nb', ['a', 'b']],
  ['CR', 'a\rb\r', ['a', 'b']],
  ['mixed ends', 'a\rb\r\nc\nd\n\re', ['a', 'b', 'c', 'd', '', 'e']],
  ['empty lines', '\r\r\n\n', ['', '', '']],
  ['no text', '', []],
])('lines with %s are split', (_, text, lines) => {
  const split: string[] = []
  eachLine(text, line => split.push(line))
  expect(split).toEqual(lines)
})
