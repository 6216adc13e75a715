/**
 * Replaces the page's WebSocket class by one that prints the frames of its connections, their opening and their
 * closing in the console, with the time and the number of the connection.
 */
export function logSockets() {
  let count = 0
  window.WebSocket = class extends WebSocket {
    readonly #connection = ++count

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('open', () => this.#print('open', url))
      this.addEventListener('message', ({ data }) => this.#print('in', data))
      this.addEventListener('close', ({ code }) => this.#print('close', code))
    }

    override send(data: string) {
      this.#print('out', data)
      super.send(data)
    }

    #print(event: string, detail: unknown) {
      // oxlint-disable-next-line no-console -- this is what it is for
      console.debug(new Date().toISOString(), 'live', this.#connection, event, detail)
    }
  }
}
