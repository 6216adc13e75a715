import { expect, test } from 'vitest'
import { Email } from '#contract/users.ts'
import { isEmail } from './isEmail.ts'

const complete = [
  'marta@northline.example',
  ' marta@northline.example ',
  'a.b+pit@sub.northline.co',
  "o'brien@example.com",
  'x_1@1a.de',
]

test.each(complete)('%s counts as complete in the browser and on the server', text => {
  expect(isEmail(text)).toBe(true)
  expect(Email.safeParse(text).success).toBe(true)
})

const incomplete = ['', 'marta', 'marta@', 'marta@northline', '@northline.example', 'a b@c.de']

test.each(incomplete)('"%s" counts as incomplete in the browser and on the server', text => {
  expect(isEmail(text)).toBe(false)
  expect(Email.safeParse(text).success).toBe(false)
})
