// No zod here: both sides need these at run time.

/** Prefix of peer ids and socket queries of the built-in desk. */
export const builtinProjectKey = 'pitboard'

/** Path of the built-in ingest, relative to the server's own address. */
export const ingestPath = '/api/ingest'

/** Event with the page as rrweb recorded it, as gzipped JSON; sent only to agents with consent. */
export const viewEvent = 'view'

/**
 * The document in which an agent's page draws the visitor's page; it has its own content security policy.
 */
export const viewPage = '/support/view.html'

/** Largest frame of the assist socket, in bytes: a whole page, compressed, is far below. */
export const maxAssistBytes = 2 * 1024 * 1024

/** Lifetime of an agent's token. Source: our own choice, long enough for a slow start. */
export const agentTokenLifeMs = 5 * 60_000

/** Timeout of a consent request. Source: SO-4 and SO-7 in docs/specification.tsv. */
export const unansweredMs = 30_000
