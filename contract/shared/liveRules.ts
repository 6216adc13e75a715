// The live protocol's numbers. No zod here: the browser needs these at run time.

/** Protocol version of this build. docs/LIVE.md has the history of versions. */
export const protocol = 2

/**
 * Oldest protocol the server supports. An installed app may be weeks old: one outside this range is closed
 * with `wrongProtocol`.
 */
export const minProtocol = 2

/** Largest frame a client may send, in bytes. */
export const maxUpBytes = 4096

/** Interval of the client's heartbeats: half of `connectionTimeoutMs`, because each costs mobile data. */
export const heartbeatIntervalMs = 2500

/** Timeout of a silent connection, for either side. */
export const connectionTimeoutMs = 5000

/**
 * The driver is online while the last contact is younger than this. Screens check it every `onlineRecheckIntervalMs`.
 */
export const offlineAfterMs = 5000
export const onlineRecheckIntervalMs = 2500

/** Whether the driver counts as online (F5), by the last contact of the phone in the car and the server's clock. */
export function isDriverOnline(lastContactAt: number | null, now: number): boolean {
  return lastContactAt !== null && now - lastContactAt < offlineAfterMs
}

/**
 * Interval of the driver's phone's reports, with or without a position. It must stay well below `offlineAfterMs`,
 * because each report is a contact. `maxQueuedFixes` is computed from it; readings of a faster receiver in between are
 * dropped. After a pause of almost two intervals the server counts the positions of laps
 * (`server/laps/sessionTiming.ts`).
 */
export const fixIntervalMs = 1000

/** How far ahead the phone's estimate of the server's clock may be: half of a bad round trip. */
export const clockToleranceMs = 5000

/** Maximum number of users listed as watching a room. */
export const maxWatching = 100

/**
 * Why the server closes a connection. Below 4100 the client may reconnect; from 4100 on it must not by
 * itself.
 */
export const CloseCode = {
  /**
   * The server is stopping, lost the bus for a while, or must authenticate the login again. A browser also sends it
   * when its page is closed, reloaded or left.
   */
  goingAway: 1001,
  /** The server failed to handle a frame, which is a bug. */
  internalError: 1011,
  /** The client sent nothing before the timeout. */
  timedOut: 4000,
  /** The connection could not keep up: reconnect for a snapshot. */
  tooSlow: 4001,
  /** The connection exceeded the frame rate limit, or its user or network has too many connections. */
  tooMany: 4002,
  /** A frame was not JSON text. */
  badFrame: 4003,
  /** Hello did not come first, or not in time. */
  noHello: 4004,
  /** The login ended, or the request had none. */
  signedOut: 4100,
  /** The app is older or newer than the server: update it first. */
  wrongProtocol: 4101,
} as const
export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode]

/** From this code on, the client does not reconnect automatically. */
export const firstFinalCloseCode = 4100
