export interface Order {
  /** The same at every attempt: a provider charges a key once, also when our transaction was rolled back after it did. */
  key: string
  userId: string
  /** What a receipt says. */
  label: string
  priceCents: number
}

export interface Receipt {
  provider: string
  /** The provider’s own name for what was paid. */
  reference: string
}

/** Takes the money of an order, or throws an `AppError` that says why it could not. */
export interface PaymentProvider {
  charge(order: Order): Promise<Receipt>
}

/** The demo (behaviour.md 11.2): every order is accepted and nothing is charged. */
export const demoPayments: PaymentProvider = {
  charge: async ({ key }) => ({ provider: 'demo', reference: key }),
}
