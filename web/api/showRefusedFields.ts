import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { refusalsText } from '#web/text/refusals.ts'
import { CallRefused } from './callRefused.ts'

/**
 * Shows what the server said about single fields at those fields, and goes to the first of them.
 * @returns whether there was anything to show: if not, the refusal needs another place.
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

/** What the server said about these fields, as sentences. */
export function refusedFields<Name extends string>(reason: unknown, names: readonly Name[]) {
  if (!(reason instanceof CallRefused)) return []
  const { fields } = reason
  return names.flatMap((name): [Name, string][] => {
    const detail = fields[name]
    return detail ? [[name, refusalsText.byDetail[detail]]] : []
  })
}
