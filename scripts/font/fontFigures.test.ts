import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { knownTypes } from '#contract/shared/messageTypes.ts'
import { whyNotWord } from '#contract/shared/ownWords.ts'
import { fontFigures, isInFont } from './fontFigures.mjs'

const css = readFileSync('web/ui/board/tones.module.css', 'utf8')

test.each(knownTypes)('the font figures of %s follow from the font', word => {
  const rule = new RegExp(`data-tone="${word.toLowerCase()}"\\] \\{([^}]+)\\}`).exec(css)?.[1] ?? ''
  const figure = (name: string) => Number(new RegExp(`--${name}: ([-\\d.]+)`).exec(rule)?.[1])
  for (const [place, { width, size, offset }] of Object.entries(fontFigures(word))) {
    expect(figure(`${place}-wdth`)).toBe(width)
    expect(figure(`${place}-em`)).toBeCloseTo(size, 1)
    expect(figure(`${place}-nx`)).toBeCloseTo(offset, 2)
  }
})

test('the stored part of the font has every character of own words', () => {
  const characters = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code))
  const accepted = characters.filter(each => whyNotWord(`A${each}A`) === null)
  expect(accepted.length).toBeGreaterThan(80)
  expect(accepted.filter(each => !isInFont(each))).toEqual([])
  expect(isInFont('ピ')).toBe(false)
})
