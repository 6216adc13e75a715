const uniqueViolation = '23505'

/** True when a row exists already; with a constraint's name, only when that constraint says so. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== uniqueViolation)
    return false
  return constraint === undefined || ('constraint' in error && error.constraint === constraint)
}
