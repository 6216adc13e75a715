/**
 * Commits, or fails. A plain `commit` after a failed statement rolls back and reports success; the select in
 * front of it turns that into an error.
 */
export const commit = 'select 1; commit'
