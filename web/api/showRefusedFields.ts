import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { CallRefused } from './callRefused.ts'

/**
 * Shows the server's field errors at their fields and focuses the first one.
 * @returns false if there was none: then show the refusal elsewhere.
 */
export function showRefusedFields<Values extends FieldValues>(
  reason: unknown,
  names: readonly FieldPath<Values>[],
  setError: UseFormSetError<Values>,
): boolean {
  const refused = refusedFields(reason, names)
  for (const [index, [name, message]] of refused.entries()) {
    setError(name, { type: 'server', message }, { shouldFocus: index === 0 })
  }
  return refused.length > 0
}

/** The server's errors about these fields, as sentences. */
export function refusedFields<Name extends string>(reason: unknown, names: readonly Name[]) {
  if (!(reason instanceof CallRefused)) return []
  const { fields } = reason
  return names.flatMap((name): [Name, string][] => {
    const sentence = fields[name]
    return sentence ? [[name, sentence]] : []
  })
}
