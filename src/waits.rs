//! What waits for the operator, and the mail that says so.

use std::time::Duration;

use actix_web::rt;
use actix_web::web::Data;
use annon_store::StoreError;
use annon_store::telling::Waiting;

use crate::app::App;
use crate::mail::{Letter, to_operator};

/// How often it is looked whether a mail is due.
const LOOKS_EVERY: Duration = Duration::from_secs(10);

/// How much of each waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    pub reports: u32,
    pub feedback: u32,
    /// What was found damaged or missing.
    pub damage: u32,
}

impl Waits {
    pub async fn look(app: &App) -> Result<Self, StoreError> {
        let damage = app.store.findings().len() + usize::from(app.metrics.damaged_pictures() > 0);
        Ok(Self {
            reports: app.reports.open().await?,
            feedback: app.feedback.kept().await?,
            damage: u32::try_from(damage).unwrap_or(u32::MAX),
        })
    }
}

/// Writes to the operator when something has come, if an address is set.
pub async fn keep_told(app: Data<App>) {
    let Some(to) = &app.config.operator_mail else { return };
    loop {
        // While it can't be known, nothing is told; why, the log says elsewhere.
        if let Ok(Some(waits)) = due(&app).await {
            app.mailer.send(Letter::new(to.clone(), to_operator(waits)));
        }
        rt::time::sleep(LOOKS_EVERY).await;
    }
}

/// What the operator is to be told now.
async fn due(app: &App) -> Result<Option<Waits>, StoreError> {
    let waits = Waits::look(app).await?;
    let Waits { reports, feedback, damage } = waits;
    let report = app.reports.page(None, 1).await?.first().map(|report| report.id);
    let piece = app.feedback.page(None, 1).await?.first().map(|piece| piece.id);
    let waiting = Waiting { report: report.filter(|_| reports > 0), feedback: piece.filter(|_| feedback > 0), damage };
    Ok(app.store.tellings().is_due(waiting, app.clock.timestamp()).await?.then_some(waits))
}
