const uniqueViolation = '23505'

/** True for a unique violation; with a name given, only for that constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== uniqueViolation) return false
  return (
    constraint === undefined ||
    (error instanceof Error && 'constraint' in error && error.constraint === constraint)
  )
}

/**
 * True if the database could not be reached or the connection was lost, so that the operation may be retried:
 * SQLSTATE class 08 (connection), 57P01 to 57P03 (shut down, or starting) and 53300 (too many connections);
 * network error codes; and errors of the driver and its pool, which only have messages.
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

/** True if PostgreSQL ended a statement that took longer than its time limit: SQLSTATE 57014. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/**
 * True if the disk is full: SQLSTATE 53100, or the system's error code. It may recover by itself or by the
 * operator.
 */
export function isStorageFull(error: unknown): boolean {
  return /^(53100|ENOSPC|EDQUOT)$/.test(codeOf(error) ?? '')
}

/**
 * True if the database will never accept this data, so that a retry is useless: SQLSTATE classes 22 (data)
 * and 23 (constraint).
 */
export function isRefusedData(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '') && !isPartMissing(error)
}

/** True if a partitioned table has no partition for the row: SQLSTATE 23514 without a constraint name. */
export function isPartMissing(error: unknown): boolean {
  if (codeOf(error) !== '23514') return false
  return !(error instanceof Error && 'constraint' in error && error.constraint)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
