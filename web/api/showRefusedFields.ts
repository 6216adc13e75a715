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
  if (!(reason instanceof CallRefused)) return false
  const { fields } = reason
  const refused = names.filter(name => Object.hasOwn(fields, name))
  for (const [index, name] of refused.entries()) {
    const detail = fields[name]
    if (!detail) continue
    const message = refusalsText.byDetail[detail]
    setError(name, { type: 'server', message }, { shouldFocus: index === 0 })
  }
  return refused.length > 0
}
