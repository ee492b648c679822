import { expect, type Page } from '@playwright/test'

/** Waits until a stored record contains these words: a page that closes sooner loses it. */
export async function untilStored(page: Page, words: string): Promise<void> {
  await expect.poll(() => page.evaluate(readRecords)).toContain(words)
}

/** Runs in the page: all records of its databases, as JSON. */
async function readRecords(): Promise<string> {
  const answered = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const found: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      found.push(await answered(database.transaction(store).objectStore(store).getAll()))
    }
    database.close()
  }
  return JSON.stringify(found)
}
