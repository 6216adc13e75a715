const uniqueViolation = '23505'

/** True when a row exists already; with a constraint's name, only when that constraint says so. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== uniqueViolation) return false
  return (
    constraint === undefined ||
    (error instanceof Error && 'constraint' in error && error.constraint === constraint)
  )
}

/**
 * True when the database could not be reached or went away in the middle: what was asked for may be asked
 * again. SQLSTATE class 08 (connection), 57P01 to 57P03 (shut down, or starting) and 53300 (too many
 * connections); what the network says; and what the driver and its pool say, which is words only.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (/^(08...|57P0[123]|53300)$/.test(codeOf(error) ?? '')) return true
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(codeOf(error) ?? ''))
    return true
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  )
}

/** True when the disk is full: SQLSTATE 53100, or the system's own word. There is room again by itself, or by the operator. */
export function isStorageFull(error: unknown): boolean {
  return /^(53100|ENOSPC|EDQUOT)$/.test(codeOf(error) ?? '')
}

/** True when the database will never take what it was given: SQLSTATE classes 22 (data) and 23 (constraint). */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '') && !isPartMissing(error)
}

/** True when a table in parts has none for a row: SQLSTATE 23514 of no constraint. */
export function isPartMissing(error: unknown): boolean {
  if (codeOf(error) !== '23514') return false
  return !(error instanceof Error && 'constraint' in error && error.constraint)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
