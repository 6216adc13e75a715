// No zod here: both sides need these at run time.

/** What a peer id and a socket's query begin with where the desk is built in. */
export const builtinProjectKey = 'pitboard'

/** Where the built-in ingest answers, below the server's own address. */
export const ingestPath = '/api/ingest'

/** The page as rrweb sees it, gzipped JSON; only to agents who were allowed to see it. */
export const viewEvent = 'view'

/** What an agent sees of a visitor's page is drawn in this document, which has a policy of its own. */
export const viewPage = '/support/view.html'

/** Largest frame of the assist socket, in bytes: a whole page, compressed, is far below. */
export const maxAssistBytes = 2 * 1024 * 1024

/** How long an agent's token opens sockets. Source: our own choice, long enough for a slow start. */
export const agentTokenLifeMs = 5 * 60_000

/** A request that is not answered by then is refused. Source: specification, section 9. */
export const unansweredMs = 30_000
