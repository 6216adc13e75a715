import { queryOf } from '#web/api/queryOf.ts'

/** The official flags that were sent to the glass of a session, and who changed what it shows. */
export const glassLogQuery = (sessionId: string) => queryOf('glass.log', { sessionId })
