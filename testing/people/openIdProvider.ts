import { OAuth2Server } from 'oauth2-mock-server'

/** An independent OpenID Connect provider that signs in the configured account without a prompt. */
export interface OpenIdProvider extends AsyncDisposable {
  url: string
  /** Claims about the user in the next token. */
  account: Record<string, unknown>
  /** Wrong claims that replace the right ones in the next token. */
  claims: Record<string, unknown>
  /** Changes the next token after signing. */
  forgery: (token: string) => string
  /** Number of authorization requests. */
  visits: number
  /** Removes wrong claims and forgery. */
  honest(): void
}

/** Starts the provider on this machine. */
export async function openIdProvider(): Promise<OpenIdProvider> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const { port } = server.address()
  const provider: OpenIdProvider = {
    url: `http://127.0.0.1:${port}`,
    account: {},
    claims: {},
    forgery: token => token,
    visits: 0,
    honest() {
      provider.claims = {}
      provider.forgery = token => token
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
  server.issuer.url = provider.url
  server.service.on('beforeAuthorizeRedirect', () => {
    provider.visits++
  })
  server.service.on('beforeTokenSigning', (token: { payload: object }) => {
    Object.assign(token.payload, provider.account, provider.claims)
  })
  server.service.on('beforeResponse', ({ body }: { body: { id_token: string } }) => {
    body.id_token = provider.forgery(body.id_token)
  })
  return provider
}
