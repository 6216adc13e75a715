import { expect, test } from 'vitest'
import { carPhone } from '#testing/storedCarRace.ts'
import { phoneLabel } from './phoneLabel.ts'

test('a phone is named by the first name of its person, if that is enough', () => {
  const ana = carPhone({ sessionId: 'ana', person: 'Ana Winter' })
  const mia = carPhone({ sessionId: 'mia', person: 'Mia Herbst' })
  const other = carPhone({ sessionId: 'other', person: 'Ana Haddad' })
  expect(phoneLabel([ana, mia], 'ana')).toBe("Ana's phone")
  expect(phoneLabel([ana, mia, other], 'ana')).toBe("Ana Winter's phone")
})

test('a phone of a person without a name is named by its session', () => {
  const phone = carPhone({ person: '', name: 'Race, second phone' })
  expect(phoneLabel([phone], phone.sessionId)).toBe('Phone (Race, second phone)')
})
