import type { LiveTrace } from '../live/liveTrace.ts'
import type { HubDescription } from '../live/publish/describeHub.ts'
import { Html, html } from '../mail/html.ts'

type Frames = LiveTrace['frames']

/** Renders rooms, connections and the last frames, newest first; only the frames of `connectionId` if given. */
export function livePage(
  { rooms, connections, counts }: HubDescription,
  frames: Frames,
  connectionId: string | undefined,
): string {
  const shown = frames.filter(
    frame => connectionId === undefined || frame.connectionId === connectionId,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>Live connections (${String(connections.length)})</title>
<style>${new Html(styles)}</style>
</head>
<body>
<h1>Live connections</h1>
<p>The rooms and connections of this process, and its last frames without heartbeats. Since the start it made ${String(counts.deliveries)} deliveries, skipped ${String(counts.skippedFixes)} fixes for slow connections and closed ${String(counts.closedConnections)} slow connections. This page is only available on this machine and reloads itself.</p>
<h2>Rooms</h2>
${table(
  ['room', 'subscribers', 'waiting for snapshot', 'queued events', 'message version', 'ended'],
  rooms.map(room => [
    room.name,
    String(room.subscribers),
    String(room.waitingForSnapshot),
    String(room.queuedEvents),
    String(room.version),
    room.ended ? 'yes' : 'no',
  ]),
)}
<h2>Connections</h2>
${table(
  ['connection', 'user', 'state', 'backlog, bytes', 'rooms'],
  connections.map(({ id, userId, isOpen, backlogBytes, rooms: subscribed }) => [
    framesLink(id),
    userId,
    isOpen ? 'open' : 'closing',
    String(backlogBytes),
    subscribed.join(' '),
  ]),
)}
<h2>Last frames</h2>
${connectionId === undefined ? '' : html`<p>Of connection ${connectionId}. <a href="/dev/live">Show all</a></p>`}
${table(
  ['time', 'connection', 'user', 'direction', 'frame'],
  [...shown]
    .reverse()
    .map(frame => [
      new Date(frame.at).toISOString().slice(11, 23),
      framesLink(frame.connectionId, shortIdLength),
      (frame.userId ?? '').slice(0, shortIdLength),
      frame.direction,
      frame.text,
    ]),
)}
</body>
</html>
`.text
}

/** Enough of an id to find it in the tables above. */
const shortIdLength = 8

function framesLink(connectionId: string, length?: number): Html {
  return html`<a href="/dev/live?connection=${encodeURIComponent(connectionId)}">${connectionId.slice(0, length)}</a>`
}

function table(columns: string[], rows: (string | Html)[][]): Html {
  if (rows.length === 0) return html`<p>None.</p>`
  return html`<table>
<tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr>
${rows.map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>\n`)}</table>`
}

const styles = `
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 0 auto; padding: 24px 16px; max-width: 1600px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 4px 8px; border-bottom: 1px solid #8886; text-align: left; vertical-align: top; white-space: nowrap; }
td { font-family: ui-monospace, monospace; font-size: 13px; }
td:last-child { width: 100%; white-space: normal; overflow-wrap: anywhere; }
`
