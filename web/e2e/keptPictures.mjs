/** The pictures that wait on a device to be sent, looked at and aged where the app keeps them. */

/** How many there are. */
export function keptPictures(page) {
  return inDatabase(
    page,
    (database) =>
      new Promise((resolve) => {
        const counting = database.transaction("pictures").objectStore("pictures").count();
        counting.onsuccess = () => resolve(counting.result);
      }),
  );
}

/** What is kept was chosen the day before yesterday, in a group that lives on; and there is one of a group that has ended. */
export function waitedForDays(page) {
  return inDatabase(
    page,
    (database) =>
      new Promise((resolve) => {
        const work = database.transaction("pictures", "readwrite");
        work.oncomplete = () => resolve();
        const pictures = work.objectStore("pictures");
        pictures.getAll().onsuccess = ({ target }) => {
          for (const kept of target.result) {
            pictures.put({ ...kept, at: kept.at - 48 * 3_600_000 });
            pictures.put({ ...kept, id: "left behind", room: "gone", until: Date.now() - 1 });
          }
        };
      }),
  );
}

/** Does `work` in the page, with the app's database, and lets go of it. */
async function inDatabase(page, work) {
  const database = await page.evaluateHandle(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("annon");
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      }),
  );
  try {
    return await database.evaluate(work);
  } finally {
    await database.evaluate((opened) => opened.close());
  }
}
