//! The walks over all items of a model.

use super::*;

impl Reading<'_> {
    /// Reads all items: measures and events first, because functions may use them.
    pub(super) fn items(&mut self) {
        let changed = self.files.documents.iter().any(|document| document.tree.get("override").is_some());
        if self.files.has_assemblies() || changed {
            self.pass(Pass::Names);
            self.expansion.restart();
        }
        self.pass(Pass::Measures);
        let model = &self.expansion.build.model;
        self.known.set_measures(model);
        self.expansion.restart();
        self.known.set_states(self.state_names());
        self.pass(Pass::Events);
        let model = &self.expansion.build.model;
        self.known.set_events(model);
        self.expansion.restart();
        self.pass(Pass::Others);
    }

    /// Names of states and of outputs of controllers, which functions may read. Faults are told when these are read.
    fn state_names(&self) -> [Vec<String>; 2] {
        let scratch = RefCell::new(Report::default());
        let mut found = Expansion::of_names(self.expansion.limits);
        for (k, document) in self.files.documents.iter().enumerate() {
            let context = Context { report: &scratch, ..self.context(k) };
            let blocks = blocks(&context, &document.tree, Pass::StateNames, &mut SourceMap::default());
            expand_all(&blocks, &mut found);
        }
        found.names.unwrap_or_default()
    }

    fn pass(&mut self, pass: Pass) {
        let mut expansion = std::mem::take(&mut self.expansion);
        for (k, document) in self.files.documents.iter().enumerate() {
            changes::read(&self.context(k), &document.tree, pass, &mut expansion.build);
        }
        for (k, document) in self.files.documents.iter().enumerate() {
            let context = self.context(k);
            let blocks = blocks(&context, &document.tree, pass, &mut expansion.build.map);
            expand_all(&blocks, &mut expansion);
        }
        self.expansion = expansion;
    }
}
