import type { CarPhone } from '#contract/carRace.ts'
import { carPhonesText } from '#web/text/carPhones.ts'

type NamedPhone = Pick<CarPhone, 'sessionId' | 'person' | 'name'>

/**
 * Names a phone of a car by the first name of its person, or the whole name if another phone of the car has the same
 * first name: "Ana's phone". Without a name it is the name of its session.
 */
export function phoneLabel(phones: readonly NamedPhone[], sessionId: string): string {
  const phone = phones.find(each => each.sessionId === sessionId)
  if (!phone?.person) return phone?.name ?? ''
  const isAlone = phones.every(each => each === phone || firstName(each) !== firstName(phone))
  return carPhonesText.phoneOf(isAlone ? firstName(phone) : phone.person)
}

function firstName({ person }: NamedPhone): string {
  return person.split(' ')[0] ?? ''
}
