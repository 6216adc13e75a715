/** Rule of a form: the field must not be empty. */
export function required(missing: string) {
  return { validate: (text: string) => text.trim() !== '' || missing }
}
