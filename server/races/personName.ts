/** Returns the name of a person, without their e-mail address: televisions read it, too. Empty if unknown. */
export function personName({
  first_name,
  last_name,
}: {
  first_name: string | null
  last_name: string | null
}): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}
